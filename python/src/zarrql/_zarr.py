from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray


def open_dataset(url: str, *, token: str | None = None, **options: Any) -> xarray.Dataset:
    """Opens a Zarr store of a gateway with xarray, lazily; requires ``pip install zarrql[xarray]``.

    url: ``http://HOST/zarr/STORE/PATH``, or a ``zarrUrl`` of a response.
    options: those of `xarray.open_zarr`

    >>> open_dataset("http://127.0.0.1:4000/zarr/ocean")
    """
    try:
        import aiohttp  # noqa: F401
        import fsspec  # type: ignore[import-untyped]  # noqa: F401
        import xarray
    except ImportError as error:
        raise ImportError(f"{error}; install the packages by: pip install 'zarrql[xarray]'") from error
    storage = dict(options.pop("storage_options", {}) or {})
    if token is not None:
        storage["headers"] = {**storage.get("headers", {}), "Authorization": f"Bearer {token}"}
    dataset: xarray.Dataset = xarray.open_zarr(url, storage_options=storage or None, **options)
    return dataset
