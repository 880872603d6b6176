"""Reruns published Java cryptography benchmarks: plans, measures, packs and publishes."""
