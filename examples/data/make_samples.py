"""Makes ocean.zarr.zip, winds.zarr.zip and relief.zarr.zip in this folder.

Source: the folder `usr/share/ferret-vis/data` of Debian's package ferret-datasets (version 7.6.0-5).

    apt-get download ferret-datasets && dpkg-deb -x ferret-datasets_*.deb ferret
    python make_samples.py ferret/usr/share/ferret-vis/data

Requires xarray 2026.9, zarr 3.1, scipy 1.17.
"""

import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import xarray as xr
from zarr.codecs import BloscCodec, ZstdCodec

SOURCE = Path(sys.argv[1])
HERE = Path(__file__).parent
NOTICE = {
    "institution": "NOAA Pacific Marine Environmental Laboratory",
    "license": "public domain: works of the United States Government",
}
LAT = {"standard_name": "latitude", "long_name": "Latitude", "units": "degrees_north", "axis": "Y"}
LON = {"standard_name": "longitude", "long_name": "Longitude", "units": "degrees_east", "axis": "X"}
TIME = {"standard_name": "time", "long_name": "Time", "axis": "T"}


def renamed(dataset, lat, lon):
    """Names, order and range of coordinates as in data of today: longitudes from -180 to 180."""
    dataset = dataset.rename({lat: "lat", lon: "lon"})
    dataset = dataset.assign_coords(lon=(dataset["lon"] + 180) % 360 - 180).sortby("lon")
    for name, attributes in {"lat": LAT, "lon": LON}.items():
        dataset[name].attrs = attributes
        dataset[name].encoding = {}
    return dataset


def rounded(values, digits):
    """Rounds to a power of two near 10^-digits, so that the values compress."""
    step = 2.0 ** np.floor(np.log2(10.0**-digits))
    return (np.round(values.astype("float64") / step) * step).astype("float32")


def write(dataset, name, encoding):
    for variable in dataset.variables.values():
        variable.attrs.pop("_FillValue", None)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / f"{name}.zarr"
        dataset.to_zarr(store, zarr_format=3, consolidated=True, encoding=encoding)
        archive = HERE / f"{name}.zarr.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as out:
            for path in sorted(store.rglob("*")):
                if path.is_file():
                    entry = zipfile.ZipInfo(path.relative_to(store).as_posix(), (2026, 1, 1, 0, 0, 0))
                    out.writestr(entry, path.read_bytes())
        shutil.rmtree(HERE / f"{name}.zarr", ignore_errors=True)


def ocean():
    names = {
        "SST": ("sst", "sea_surface_temperature", "Sea surface temperature", "degree_Celsius"),
        "AIRT": ("air", "air_temperature", "Air temperature", "degree_Celsius"),
        "SPEH": ("shum", "specific_humidity", "Specific humidity", "g kg-1"),
        "WSPD": ("wspd", "wind_speed", "Wind speed", "m s-1"),
        "UWND": ("uwnd", "eastward_wind", "Eastward wind", "m s-1"),
        "VWND": ("vwnd", "northward_wind", "Northward wind", "m s-1"),
        "SLP": ("slp", "air_pressure_at_mean_sea_level", "Sea level pressure", "hPa"),
    }
    source = xr.open_dataset(SOURCE / "coads_climatology.cdf", decode_times=False)
    source = renamed(source, "COADSY", "COADSX").rename({"TIME": "time"})
    # A climatology has no year. The middle of each month of a year without a leap day stands for it.
    starts = np.arange("2021-01", "2022-02", dtype="datetime64[M]").astype("datetime64[h]")
    middles = starts[:-1] + (starts[1:] - starts[:-1]) // 2
    variables = {}
    for old, (new, standard, long, units) in names.items():
        values = rounded(source[old].values, 2)
        attributes = {"standard_name": standard, "long_name": long, "units": units}
        variables[new] = (("time", "lat", "lon"), values, attributes)
    time = ("time", middles.astype("datetime64[ns]"), {**TIME, "comment": "Months of a climatology; the year has no meaning"})
    dataset = xr.Dataset(variables, {"time": time, "lat": source["lat"], "lon": source["lon"]})
    dataset.attrs = {"Conventions": "CF-1.11", "title": "COADS monthly climatology, 1946 to 1989", **NOTICE}
    codec = [BloscCodec(cname="zstd", clevel=9, shuffle="shuffle", typesize=4)]
    encoding = {name: {"chunks": (12, 45, 90), "compressors": codec} for name in variables}
    encoding["time"] = {"units": "hours since 2021-01-01", "calendar": "proleptic_gregorian", "dtype": "int32"}
    write(dataset, "ocean", encoding)


def winds():
    source = xr.open_dataset(SOURCE / "monthly_navy_winds.cdf")
    source = renamed(source, "FNOCY", "FNOCX").rename({"TIME": "time", "UWND": "uwnd", "VWND": "vwnd"})
    # The middle of the month, without the hours of the average month that the source adds up.
    source = source.isel(time=slice(72, 132))
    months = source["time"].values.astype("datetime64[M]")
    assert (np.diff(months.astype(int)) == 1).all()
    starts = months.astype("datetime64[D]")
    ends = (months + 1).astype("datetime64[D]")
    time = starts + (ends - starts) // 2
    names = {"uwnd": ("eastward_wind", "Eastward wind"), "vwnd": ("northward_wind", "Northward wind")}
    variables = {}
    for name, (standard, long) in names.items():
        attributes = {"standard_name": standard, "long_name": long, "units": "m s-1"}
        variables[name] = (("time", "lat", "lon"), source[name].values, attributes)
    dataset = xr.Dataset(variables, {"time": ("time", time.astype("datetime64[ns]"), TIME), "lat": source["lat"], "lon": source["lon"]})
    dataset.attrs = {"Conventions": "CF-1.11", "title": "FNOC monthly surface winds, 1988 to 1992", **NOTICE}
    packed = {"dtype": "int16", "scale_factor": 0.01, "_FillValue": np.int16(-32768), "chunks": (12, 73, 144)}
    codec = [BloscCodec(cname="zstd", clevel=9, shuffle="bitshuffle", typesize=2)]
    encoding = {name: {**packed, "compressors": codec} for name in variables}
    encoding["time"] = {"units": "days since 1970-01-01", "calendar": "proleptic_gregorian", "dtype": "int32"}
    write(dataset, "winds", encoding)


def relief():
    source = xr.open_dataset(SOURCE / "etopo20.cdf", decode_times=False)
    (name,) = [each for each in source.data_vars if source[each].ndim == 2]
    lat, lon = source[name].dims
    # The last column repeats the first one.
    source = renamed(source[[name]].isel({lon: slice(0, 1080)}), lat, lon)
    attributes = {"standard_name": "surface_altitude", "long_name": "Height above sea level", "units": "m"}
    values = np.round(source[name].values).astype("int16")
    dataset = xr.Dataset({"elevation": (("lat", "lon"), values, attributes)}, {"lat": source["lat"], "lon": source["lon"]})
    dataset.attrs = {"Conventions": "CF-1.11", "title": "ETOPO relief of the Earth at 20 minutes of arc", **NOTICE}
    encoding = {"elevation": {"chunks": (60, 60), "shards": (180, 360), "compressors": [ZstdCodec(level=19)]}}
    write(dataset, "relief", encoding)


ocean()
winds()
relief()
