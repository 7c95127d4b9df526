"""Prints random numbers with units and calendar, and cftime's dates for them: one JSON object per line.

    python make_dates.py SEED LINES VALUES_A_LINE
"""

import base64
import json
import sys
import warnings

import cftime
import numpy as np

warnings.simplefilter("ignore")

CALENDARS = [
    "standard", "gregorian", "proleptic_gregorian", "julian", "noleap", "365_day", "all_leap", "366_day", "360_day",
]  # fmt: skip
UNITS = {
    "us": ["microseconds", "microsecond", "microsec", "microsecs"],
    "ms": ["milliseconds", "millisecond", "millisec", "millisecs", "msec", "msecs", "ms"],
    "s": ["second", "seconds", "sec", "secs", "s"],
    "m": ["minute", "minutes", "min", "mins"],
    "h": ["hour", "hours", "hr", "hrs", "h"],
    "d": ["day", "days", "d", "Days"],
}
SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400, "month": 30 * 86400, "year": 365 * 86400}
REFERENCES = [
    "1970-01-01", "1-1-1 00:00:0.0", "1900-01-01T00:00:00Z", "1582-10-15", "1582-10-04 23:59:59.5", "1992-10-8 15:15:42.5 -06:00",
    "2000-01-01 12:00:00", "2000-01-01 12:00 +02:00", "1850-1-1", "1800-02-28 23:59", "0001-01-01 00:00:00", "-4712-01-01 12:00:00",
    "0000-01-01 00:00:00", "2400-12-31 23:59:59.999999", "1600-03-01 06:30", "101-06-07", "-1-11-30",
]  # fmt: skip


def iso(date):
    text = date.isoformat()
    return text.rstrip("0") if "." in text else text


def random_line(random, count):
    def choose(options):
        return options[int(random.integers(len(options)))]

    calendar = choose(CALENDARS)
    kinds = list(UNITS) + (["month"] if calendar == "360_day" else []) + (["year"] if calendar in ("noleap", "365_day") else [])
    kind = choose(kinds)
    name = {"month": "months", "year": "common_years"}.get(kind) or choose(UNITS[kind])
    units = f"{name} since {choose(REFERENCES)}"
    dtype = np.dtype(choose(["i4", "i8", "i8", "f8", "f8", "f4", "u2"]))
    reach = choose([1, 30, 400, 30000]) * choose([1, 20, 40]) * 86400 / SECONDS[kind]
    values = random.uniform(-reach, reach, count)
    if dtype.kind == "f":
        decimals = choose([0, 1, 2, 5, None])
        values = values if decimals is None else np.round(values, decimals)
    else:
        values = np.rint(values).clip(np.iinfo(dtype).min, np.iinfo(dtype).max)
    values = values.astype(dtype)
    is_historic = calendar in ("standard", "gregorian", "julian")
    has_year_zero = True if not is_historic or " 0000-" in units else False
    dates = cftime.num2date(values, units, calendar, has_year_zero=has_year_zero)
    little = values.astype(dtype.newbyteorder("<"))
    return {
        "calendar": calendar,
        "units": units,
        "dtype": dtype.str[1:],
        "values": base64.b64encode(little.tobytes()).decode(),
        "dates": [iso(date) for date in dates],
    }


def main():
    seed, lines, count = (int(argument) for argument in sys.argv[1:])
    random = np.random.default_rng(seed)
    printed = 0
    while printed < lines:
        try:
            line = random_line(random, count)
        except (ValueError, OverflowError):
            continue  # Not every reference time is a date of every calendar.
        print(json.dumps(line, separators=(",", ":")))
        printed += 1


if __name__ == "__main__":
    main()
