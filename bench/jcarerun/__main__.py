"""`python -m jcarerun`: the command line `jca-rerun`."""

from jcarerun.cli import main

if __name__ == "__main__":
    main()
