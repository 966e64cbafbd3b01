"""Results to look at: one self-contained HTML page, and the same charts as pictures."""

from broker_sim.report.page import write_page
from broker_sim.report.reading import Results, read_results

__all__ = ["Results", "read_results", "write_page"]
