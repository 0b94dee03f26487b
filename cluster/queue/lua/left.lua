-- How many more tasks the toll's sets KEYS have places for, of ARGV each.
-- uses toll
return places(KEYS, ARGV, tonumber(ARGV[1]))
