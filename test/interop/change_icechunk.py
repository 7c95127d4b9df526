"""Reads an Icechunk repository, and commits a change to it.

Usage: python change_icechunk.py FOLDER

Prints JSON: the contents of the branch main, of the tag v1 and of the branch dev before the change, the history of main,
and the id of the commit, which sets the first element of /a to 100.
"""

import json
import sys

import icechunk
import zarr
from icechunk_contents import contents, history

repository = icechunk.Repository.open(icechunk.local_filesystem_storage(sys.argv[1]))
result = {
    "main": contents(repository.readonly_session(branch="main").store),
    "v1": contents(repository.readonly_session(tag="v1").store),
    "dev": contents(repository.readonly_session(branch="dev").store),
    "history": history(repository),
    "branches": sorted(repository.list_branches()),
    "tags": sorted(repository.list_tags()),
}
session = repository.writable_session("main")
zarr.open_group(session.store)["a"][0] = 100
result["commit"] = session.commit("by Python")
print(json.dumps(result))
