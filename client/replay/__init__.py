"""Records: kept, looked back on, and played again step by step."""
