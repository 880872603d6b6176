"""One run: what its configuration selects, and the measuring of its rounds in isolated containers.

- the run: run, session (a Snakemake process), verified (what is there already), plan_stage, described (for the analysis),
  run_record
- a round: plan_rounds and round_file (what is planned), run_round (its job), container, round_dir, limits, background_load, jars
- for the terminal: verdict_lines

May import jcarerun.plan and all that it may.
"""
