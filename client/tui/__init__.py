"""The Textual client: boards, panes, dialogs and input of a table."""
