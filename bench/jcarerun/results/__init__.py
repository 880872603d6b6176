"""The published results: archives of raw rounds in data/runs, and all that is made from them in report/results."""
