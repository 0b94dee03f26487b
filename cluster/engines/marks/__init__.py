"""Things placed on pages as they are seen: place, overlay, artwork. Uses fonts and pdf.

Decisions:
- Watermarks are artifact-tagged form XObjects, one for each distinct text; pages' resources are copied, never
  changed.
"""
