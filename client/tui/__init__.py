"""The Textual client: the only place that knows a screen."""
