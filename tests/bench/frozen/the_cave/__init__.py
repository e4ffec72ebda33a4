"""The rookie of The Cave, frozen."""
