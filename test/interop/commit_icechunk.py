"""Commits to an Icechunk repository in a bucket while another program does.

Usage: python commit_icechunk.py BUCKET ENDPOINT ACCESS_KEY SECRET_KEY COUNT

Sets one element of /theirs with each commit, to 1, 2, ...
"""

import sys

import icechunk
import zarr

bucket, endpoint, access_key, secret_key, count = sys.argv[1:]
repository = icechunk.Repository.open(
    icechunk.s3_storage(
        bucket=bucket,
        prefix="repository",
        region="us-east-1",
        endpoint_url=endpoint,
        access_key_id=access_key,
        secret_access_key=secret_key,
        allow_http=True,
        force_path_style=True,
    )
)
for i in range(int(count)):
    session = repository.writable_session("main")
    zarr.open_group(session.store)["theirs"][i] = i + 1
    session.commit(f"theirs {i}", rebase_with=icechunk.ConflictDetector(), rebase_tries=100)
