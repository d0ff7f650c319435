"""The process of one system of one row; `harness/processes.py` starts it."""

from harness.worker import main

if __name__ == "__main__":
    main()
