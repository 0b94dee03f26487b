"""Reaching engines that wait warm beside the parts of a sandbox. Uses no other room."""
