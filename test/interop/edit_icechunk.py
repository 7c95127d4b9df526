"""Commits changed values, a resized array and a new group to a repository that write_icechunk.py has written.

Usage: python edit_icechunk.py FOLDER

Prints the time of the commit in ms since 1970.
"""

import sys
import time

import icechunk
import zarr

repository = icechunk.Repository.open(icechunk.local_filesystem_storage(sys.argv[1]))
session = repository.writable_session("main")
root = zarr.open_group(session.store)
root["float64"][3:6, 4:8] = 1.25
root["int8"].resize((9, 10))
root.create_group("added")
session.commit("by another program")
print(time.time() * 1000)
