"""The PDF, from display tables and figures."""
