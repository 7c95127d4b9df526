from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx

from ._cbor import decode

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True)
class ErrorDetail:
    """One error of a response."""

    message: str
    code: str
    """Such as ``NOT_FOUND`` or ``LIMIT_EXCEEDED``."""
    path: tuple[str | int, ...]
    """The field in the response; empty for an error of the whole request."""
    extensions: Mapping[str, Any]


class QueryError(RuntimeError):
    """The gateway answered with errors. ``data`` has the fields that succeeded."""

    def __init__(self, errors: list[ErrorDetail], data: dict[str, Any] | None) -> None:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{errors[0].message}{more}")
        self.errors = errors
        self.data = data

    @property
    def code(self) -> str:
        return self.errors[0].code


class Client:
    """A gateway.

    url: its address, such as ``http://127.0.0.1:4000``; an address that ends in ``/graphql`` is accepted too.
    token: a bearer token.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/").removesuffix("/graphql")
        self._token = token
        self._http = httpx.Client(headers=self.headers, timeout=timeout, transport=transport)

    @property
    def headers(self) -> dict[str, str]:
        return {} if self._token is None else {"Authorization": f"Bearer {self._token}"}

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def query(
        self,
        document: str,
        variables: Mapping[str, Any] | None = None,
        *,
        store: str | None = None,
        operation: str | None = None,
    ) -> dict[str, Any]:
        """Runs a document; ``values`` are NumPy arrays.

        Datetimes and timedeltas are int64 counts: ``values.view(dtype["numpy"])``; `data_array` converts them.

        store: uses the generated schema of this store instead of the generic one.
        Raises QueryError for errors in the response, httpx.HTTPError if there is no response.
        """
        path = "/graphql" if store is None else f"/graphql/{quote(store, safe='')}"
        body = {"query": document, "variables": dict(variables or {})}
        if operation is not None:
            body["operationName"] = operation
        response = self._http.post(f"{self.url}{path}", json=body, headers={"Accept": "application/cbor"})
        return _data_of(response)

    def read(self, link: str) -> bytes:
        """The content of a link of a response (``href``), which may be relative to the gateway."""
        response = self._http.get(httpx.URL(f"{self.url}/graphql").join(link))
        if response.is_error:
            _data_of(response)
        response.raise_for_status()
        return response.content

    def open_dataset(self, store: str, path: str = "/", **options: Any) -> xarray.Dataset:
        """Opens a group of a store with xarray, lazily; requires ``pip install zarrql[xarray]``.

        options: those of `xarray.open_zarr`
        """
        from ._zarr import open_dataset

        parts = [quote(part, safe="") for part in path.split("/") if part]
        url = "/".join([self.url, "zarr", quote(store, safe="@"), *parts])
        return open_dataset(url, token=self._token, **options)


def _data_of(response: httpx.Response) -> dict[str, Any]:
    kind = response.headers.get("content-type", "")
    if "json" in kind:
        result = response.json()
    elif "cbor" in kind:
        result = decode(response.content)
    else:
        response.raise_for_status()
        raise httpx.DecodingError(f"expected CBOR or JSON, got {kind or 'no content type'}", request=response.request)
    errors = [_error_of(error) for error in result.get("errors") or []]
    data: dict[str, Any] | None = result.get("data")
    if errors:
        raise QueryError(errors, data)
    if data is None:
        response.raise_for_status()
        raise httpx.DecodingError("the response has neither data nor errors", request=response.request)
    return data


def _error_of(error: Mapping[str, Any]) -> ErrorDetail:
    extensions = error.get("extensions") or {}
    return ErrorDetail(
        message=str(error.get("message", "unknown error")),
        code=str(extensions.get("code", "UNKNOWN")),
        path=tuple(error.get("path") or ()),
        extensions=extensions,
    )
