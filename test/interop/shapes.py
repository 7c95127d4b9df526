"""Random shapes, chunks and selections."""


def choose(rng, pool):
    return pool[int(rng.integers(0, len(pool)))]


def random_shape(rng, least_rank=0):
    rank = int(rng.choice([r for r in (0, 1, 1, 2, 2, 2, 3, 3, 4) if r >= least_rank]))
    longest = [1, 60, 14, 8, 5][rank]
    return tuple(0 if rng.random() < 0.02 else int(rng.integers(1, longest + 1)) for _ in range(rank))


def random_chunks(rng, shape):
    """Random chunk sizes, at most slightly larger than the array."""
    return tuple(int(rng.integers(max(1, length // 4), max(length, 1) + 2)) for length in shape)


def random_selection(rng, shape):
    """A random box within the array, often with a step."""
    parts = []
    for length in shape:
        start = int(rng.integers(0, length + 1))
        stop = int(rng.integers(start, length + 1))
        parts.append(slice(start, stop, int(rng.integers(1, 3))))
    return tuple(parts)


def write_some(rng, values, filled, assign):
    """Writes all values, a part, or none. Returns the values of the array; `filled` contains the fill value."""
    mode = rng.random()
    if mode < 0.55 or values.ndim == 0:
        assign(..., values)
        return values
    if mode < 0.95:
        selection = random_selection(rng, values.shape)
        filled[selection] = values[selection]
        assign(selection, values[selection])
    return filled
