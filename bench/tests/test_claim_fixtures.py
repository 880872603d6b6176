"""The rows that tests of the analysis use are those that the resolver gives now."""

import json

from bench.tests import claim_fixtures


def test_recorded_rows_are_the_resolvers():
    recorded = json.loads(claim_fixtures.RECORDED.read_text())
    assert recorded
    for key, each in recorded.items():
        found = claim_fixtures.answer(each["request"])
        assert found["pairs"] == each["pairs"], key
        assert json.loads(json.dumps(found["decisions"])) == each["decisions"], key
