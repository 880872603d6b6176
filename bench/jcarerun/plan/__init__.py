"""From experiments to cells, and from cells to rounds: what is to be measured. Pure, but for the files of a plan that is resumed.

- what people write: definitions (experiments), forms (claims), settings, providers, cpu_profiles, algorithms, subjects (jars of
  others), published_values; workloads are read from the Java sources
- what is measured: selection, cells, plan (rounds), reference_forks
- which cells claims compare: claim_comparisons, claim_resolver, claim_pairs (the table), and claim_rows, claim_words,
  environments
- how many forks, and when: demand, scheduler, fixed_plan, stages, budget
- what is written for people: listing, question (`jca-rerun choose`), study (`jca-rerun study`)

May import jcarerun.images, native, rounds, subject and support; of jcarerun.run what rounds are limited to and asked in.
"""
