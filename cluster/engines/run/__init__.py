"""Reaching engines that wait warm beside the parts of a sandbox. Uses nothing of ours but Problem."""
