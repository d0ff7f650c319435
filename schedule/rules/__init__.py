"""Default schedules, by rule."""
