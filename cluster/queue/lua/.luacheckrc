-- Redis gives the first three, cluster.queue.scripts the rest.
std = "lua51"
max_line_length = 120
read_globals = {"redis", "KEYS", "ARGV", "BUCKETS", "FREE"}
globals = {"enqueue", "take_out", "in_turn", "lanes_of", "observe", "places"}
ignore = {"211/enqueue", "211/take_out", "211/in_turn", "211/lanes_of", "211/observe", "211/places"}
