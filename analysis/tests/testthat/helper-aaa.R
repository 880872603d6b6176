# The directory of the analysis.
analysis_dir <- analysis_path()
