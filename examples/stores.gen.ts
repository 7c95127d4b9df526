// Written by `zarrql codegen`. Rerun it when the stores change.
import type { ArrayType } from 'zarrql-client';

/** The stores of a gateway, for `createClient`. */
export interface Stores {
  readonly coads: {
    readonly arrays: {
      /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: AIR TEMPERATURE, DEG C */
      readonly AIRT: ArrayType<
        'float32',
        'TIME' | 'COADSY' | 'COADSX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly missing_value: number;
          readonly _FillValue: string;
        }
      >;
      /** float64 [COADSX: 180]: degrees_east */
      readonly COADSX: ArrayType<
        'float64',
        'COADSX',
        { readonly units: string; readonly modulo: string; readonly point_spacing: string }
      >;
      /** float64 [COADSY: 90]: degrees_north */
      readonly COADSY: ArrayType<
        'float64',
        'COADSY',
        { readonly units: string; readonly point_spacing: string }
      >;
      /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: SEA LEVEL PRESSURE, MB */
      readonly SLP: ArrayType<
        'float32',
        'TIME' | 'COADSY' | 'COADSX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly missing_value: number;
          readonly _FillValue: string;
        }
      >;
      /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: SPECIFIC HUMIDITY, G/KG */
      readonly SPEH: ArrayType<
        'float32',
        'TIME' | 'COADSY' | 'COADSX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly missing_value: number;
          readonly _FillValue: string;
        }
      >;
      /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: SEA SURFACE TEMPERATURE, Deg C */
      readonly SST: ArrayType<
        'float32',
        'TIME' | 'COADSY' | 'COADSX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly missing_value: number;
          readonly _FillValue: string;
        }
      >;
      /** float64 [TIME: 12]: hour since 0000-01-01 00:00:00 */
      readonly TIME: ArrayType<
        'float64',
        'TIME',
        {
          readonly units: string;
          readonly time_origin: string;
          readonly modulo: string;
          readonly calendar: string;
        }
      >;
      /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: ZONAL WIND, M/S */
      readonly UWND: ArrayType<
        'float32',
        'TIME' | 'COADSY' | 'COADSX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly missing_value: number;
          readonly _FillValue: string;
        }
      >;
      /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: MERIDIONAL WIND, M/S */
      readonly VWND: ArrayType<
        'float32',
        'TIME' | 'COADSY' | 'COADSX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly missing_value: number;
          readonly _FillValue: string;
        }
      >;
      /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: WIND SPEED, M/S */
      readonly WSPD: ArrayType<
        'float32',
        'TIME' | 'COADSY' | 'COADSX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly missing_value: number;
          readonly _FillValue: string;
        }
      >;
    };
    readonly groups: {
      readonly '': {
        readonly history: string;
        readonly title: string;
        readonly Conventions: string;
        readonly source: string;
      };
    };
    readonly datasets: {
      readonly '': {
        readonly dimensions: 'TIME' | 'COADSY' | 'COADSX';
        readonly variables: {
          /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: AIR TEMPERATURE, DEG C */
          readonly AIRT: ArrayType<
            'float32',
            'TIME' | 'COADSY' | 'COADSX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
          /** float64 [COADSX: 180]: degrees_east */
          readonly COADSX: ArrayType<
            'float64',
            'COADSX',
            { readonly units: string; readonly modulo: string; readonly point_spacing: string }
          >;
          /** float64 [COADSY: 90]: degrees_north */
          readonly COADSY: ArrayType<
            'float64',
            'COADSY',
            { readonly units: string; readonly point_spacing: string }
          >;
          /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: SEA LEVEL PRESSURE, MB */
          readonly SLP: ArrayType<
            'float32',
            'TIME' | 'COADSY' | 'COADSX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
          /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: SPECIFIC HUMIDITY, G/KG */
          readonly SPEH: ArrayType<
            'float32',
            'TIME' | 'COADSY' | 'COADSX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
          /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: SEA SURFACE TEMPERATURE, Deg C */
          readonly SST: ArrayType<
            'float32',
            'TIME' | 'COADSY' | 'COADSX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
          /** numpy.datetime64 [TIME: 12] */
          readonly TIME: ArrayType<
            'numpy.datetime64',
            'TIME',
            { readonly time_origin: string; readonly modulo: string }
          >;
          /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: ZONAL WIND, M/S */
          readonly UWND: ArrayType<
            'float32',
            'TIME' | 'COADSY' | 'COADSX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
          /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: MERIDIONAL WIND, M/S */
          readonly VWND: ArrayType<
            'float32',
            'TIME' | 'COADSY' | 'COADSX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
          /** float32 [TIME: 12, COADSY: 90, COADSX: 180]: WIND SPEED, M/S */
          readonly WSPD: ArrayType<
            'float32',
            'TIME' | 'COADSY' | 'COADSX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
        };
      };
    };
  };
  readonly etopo20: {
    readonly arrays: {
      /** float64 [lat: 540]: degrees_north */
      readonly lat: ArrayType<
        'float64',
        'lat',
        { readonly units: string; readonly axis: string; readonly standard_name: string }
      >;
      /** float64 [lon: 1080]: degrees_east */
      readonly lon: ArrayType<
        'float64',
        'lon',
        { readonly units: string; readonly axis: string; readonly standard_name: string }
      >;
      /** int16 [lat: 540, lon: 1080]: relief of the surface of the Earth, m */
      readonly relief: ArrayType<
        'int16',
        'lat' | 'lon',
        {
          readonly units: string;
          readonly long_name: string;
          readonly standard_name: string;
          readonly _FillValue: number;
        }
      >;
    };
    readonly groups: {
      readonly '': { readonly title: string; readonly Conventions: string; readonly source: string };
    };
    readonly datasets: {
      readonly '': {
        readonly dimensions: 'lat' | 'lon';
        readonly variables: {
          /** float64 [lat: 540]: degrees_north */
          readonly lat: ArrayType<
            'float64',
            'lat',
            { readonly units: string; readonly axis: string; readonly standard_name: string }
          >;
          /** float64 [lon: 1080]: degrees_east */
          readonly lon: ArrayType<
            'float64',
            'lon',
            { readonly units: string; readonly axis: string; readonly standard_name: string }
          >;
          /** float32 [lat: 540, lon: 1080]: relief of the surface of the Earth, m */
          readonly relief: ArrayType<
            'float32',
            'lat' | 'lon',
            { readonly units: string; readonly long_name: string; readonly standard_name: string }
          >;
        };
      };
    };
  };
  readonly navy_winds: {
    readonly arrays: {
      /** float64 [FNOCX: 144]: degrees_east */
      readonly FNOCX: ArrayType<
        'float64',
        'FNOCX',
        {
          readonly units: string;
          readonly modulo: string;
          readonly point_spacing: string;
          readonly _ARRAY_DIMENSIONS: readonly string[];
        }
      >;
      /** float64 [FNOCY: 73]: degrees_north */
      readonly FNOCY: ArrayType<
        'float64',
        'FNOCY',
        {
          readonly units: string;
          readonly point_spacing: string;
          readonly _ARRAY_DIMENSIONS: readonly string[];
        }
      >;
      /** float64 [TIME: 36]: hour since 1980-01-14 14:00:00 */
      readonly TIME: ArrayType<
        'float64',
        'TIME',
        {
          readonly units: string;
          readonly time_origin: string;
          readonly _ARRAY_DIMENSIONS: readonly string[];
        }
      >;
      /** int16 [TIME: 36, FNOCY: 73, FNOCX: 144]: ZONAL WIND, M/S */
      readonly UWND: ArrayType<
        'int16',
        'TIME' | 'FNOCY' | 'FNOCX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly add_offset: number;
          readonly scale_factor: number;
          readonly _ARRAY_DIMENSIONS: readonly string[];
        }
      >;
      /** int16 [TIME: 36, FNOCY: 73, FNOCX: 144]: MERIDIONAL WIND, M/S */
      readonly VWND: ArrayType<
        'int16',
        'TIME' | 'FNOCY' | 'FNOCX',
        {
          readonly long_name: string;
          readonly history: string;
          readonly units: string;
          readonly add_offset: number;
          readonly scale_factor: number;
          readonly _ARRAY_DIMENSIONS: readonly string[];
        }
      >;
    };
    readonly groups: {
      readonly '': { readonly history: string; readonly title: string; readonly source: string };
    };
    readonly datasets: {
      readonly '': {
        readonly dimensions: 'FNOCX' | 'FNOCY' | 'TIME';
        readonly variables: {
          /** float64 [FNOCX: 144]: degrees_east */
          readonly FNOCX: ArrayType<
            'float64',
            'FNOCX',
            { readonly units: string; readonly modulo: string; readonly point_spacing: string }
          >;
          /** float64 [FNOCY: 73]: degrees_north */
          readonly FNOCY: ArrayType<
            'float64',
            'FNOCY',
            { readonly units: string; readonly point_spacing: string }
          >;
          /** numpy.datetime64 [TIME: 36] */
          readonly TIME: ArrayType<'numpy.datetime64', 'TIME', { readonly time_origin: string }>;
          /** float64 [TIME: 36, FNOCY: 73, FNOCX: 144]: ZONAL WIND, M/S */
          readonly UWND: ArrayType<
            'float64',
            'TIME' | 'FNOCY' | 'FNOCX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
          /** float64 [TIME: 36, FNOCY: 73, FNOCX: 144]: MERIDIONAL WIND, M/S */
          readonly VWND: ArrayType<
            'float64',
            'TIME' | 'FNOCY' | 'FNOCX',
            { readonly long_name: string; readonly history: string; readonly units: string }
          >;
        };
      };
    };
  };
  readonly ocean: {
    readonly arrays: {
      /** float32 [time: 12, lat: 90, lon: 180]: Air temperature, degree_Celsius */
      readonly air: ArrayType<
        'float32',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly _FillValue: string;
        }
      >;
      /** float64 [lat: 90]: Latitude, degrees_north */
      readonly lat: ArrayType<
        'float64',
        'lat',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly axis: string;
          readonly _FillValue: string;
        }
      >;
      /** float64 [lon: 180]: Longitude, degrees_east */
      readonly lon: ArrayType<
        'float64',
        'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly axis: string;
          readonly _FillValue: string;
        }
      >;
      /** float32 [time: 12, lat: 90, lon: 180]: Specific humidity, g kg-1 */
      readonly shum: ArrayType<
        'float32',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly _FillValue: string;
        }
      >;
      /** float32 [time: 12, lat: 90, lon: 180]: Sea level pressure, hPa */
      readonly slp: ArrayType<
        'float32',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly _FillValue: string;
        }
      >;
      /** float32 [time: 12, lat: 90, lon: 180]: Sea surface temperature, degree_Celsius */
      readonly sst: ArrayType<
        'float32',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly _FillValue: string;
        }
      >;
      /** int32 [time: 12]: Time, hours since 2021-01-01 */
      readonly time: ArrayType<
        'int32',
        'time',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly axis: string;
          readonly comment: string;
          readonly units: string;
          readonly calendar: string;
        }
      >;
      /** float32 [time: 12, lat: 90, lon: 180]: Eastward wind, m s-1 */
      readonly uwnd: ArrayType<
        'float32',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly _FillValue: string;
        }
      >;
      /** float32 [time: 12, lat: 90, lon: 180]: Northward wind, m s-1 */
      readonly vwnd: ArrayType<
        'float32',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly _FillValue: string;
        }
      >;
      /** float32 [time: 12, lat: 90, lon: 180]: Wind speed, m s-1 */
      readonly wspd: ArrayType<
        'float32',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly _FillValue: string;
        }
      >;
    };
    readonly groups: {
      readonly '': {
        readonly Conventions: string;
        readonly title: string;
        readonly institution: string;
        readonly license: string;
      };
    };
    readonly datasets: {
      readonly '': {
        readonly dimensions: 'time' | 'lat' | 'lon';
        readonly variables: {
          /** float32 [time: 12, lat: 90, lon: 180]: Air temperature, degree_Celsius */
          readonly air: ArrayType<
            'float32',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
          /** float64 [lat: 90]: Latitude, degrees_north */
          readonly lat: ArrayType<
            'float64',
            'lat',
            {
              readonly standard_name: string;
              readonly long_name: string;
              readonly units: string;
              readonly axis: string;
            }
          >;
          /** float64 [lon: 180]: Longitude, degrees_east */
          readonly lon: ArrayType<
            'float64',
            'lon',
            {
              readonly standard_name: string;
              readonly long_name: string;
              readonly units: string;
              readonly axis: string;
            }
          >;
          /** float32 [time: 12, lat: 90, lon: 180]: Specific humidity, g kg-1 */
          readonly shum: ArrayType<
            'float32',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
          /** float32 [time: 12, lat: 90, lon: 180]: Sea level pressure, hPa */
          readonly slp: ArrayType<
            'float32',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
          /** float32 [time: 12, lat: 90, lon: 180]: Sea surface temperature, degree_Celsius */
          readonly sst: ArrayType<
            'float32',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
          /** numpy.datetime64 [time: 12]: Time */
          readonly time: ArrayType<
            'numpy.datetime64',
            'time',
            {
              readonly standard_name: string;
              readonly long_name: string;
              readonly axis: string;
              readonly comment: string;
            }
          >;
          /** float32 [time: 12, lat: 90, lon: 180]: Eastward wind, m s-1 */
          readonly uwnd: ArrayType<
            'float32',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
          /** float32 [time: 12, lat: 90, lon: 180]: Northward wind, m s-1 */
          readonly vwnd: ArrayType<
            'float32',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
          /** float32 [time: 12, lat: 90, lon: 180]: Wind speed, m s-1 */
          readonly wspd: ArrayType<
            'float32',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
        };
      };
    };
  };
  readonly relief: {
    readonly arrays: {
      /** int16 [lat: 540, lon: 1080]: Height above sea level, m */
      readonly elevation: ArrayType<
        'int16',
        'lat' | 'lon',
        { readonly standard_name: string; readonly long_name: string; readonly units: string }
      >;
      /** float64 [lat: 540]: Latitude, degrees_north */
      readonly lat: ArrayType<
        'float64',
        'lat',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly axis: string;
          readonly _FillValue: string;
        }
      >;
      /** float64 [lon: 1080]: Longitude, degrees_east */
      readonly lon: ArrayType<
        'float64',
        'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly axis: string;
          readonly _FillValue: string;
        }
      >;
    };
    readonly groups: {
      readonly '': {
        readonly Conventions: string;
        readonly title: string;
        readonly institution: string;
        readonly license: string;
      };
    };
    readonly datasets: {
      readonly '': {
        readonly dimensions: 'lat' | 'lon';
        readonly variables: {
          /** int16 [lat: 540, lon: 1080]: Height above sea level, m */
          readonly elevation: ArrayType<
            'int16',
            'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
          /** float64 [lat: 540]: Latitude, degrees_north */
          readonly lat: ArrayType<
            'float64',
            'lat',
            {
              readonly standard_name: string;
              readonly long_name: string;
              readonly units: string;
              readonly axis: string;
            }
          >;
          /** float64 [lon: 1080]: Longitude, degrees_east */
          readonly lon: ArrayType<
            'float64',
            'lon',
            {
              readonly standard_name: string;
              readonly long_name: string;
              readonly units: string;
              readonly axis: string;
            }
          >;
        };
      };
    };
  };
  readonly winds: {
    readonly arrays: {
      /** float64 [lat: 73]: Latitude, degrees_north */
      readonly lat: ArrayType<
        'float64',
        'lat',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly axis: string;
          readonly _FillValue: string;
        }
      >;
      /** float64 [lon: 144]: Longitude, degrees_east */
      readonly lon: ArrayType<
        'float64',
        'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly axis: string;
          readonly _FillValue: string;
        }
      >;
      /** int32 [time: 60]: Time, days since 1970-01-01 */
      readonly time: ArrayType<
        'int32',
        'time',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly axis: string;
          readonly units: string;
          readonly calendar: string;
        }
      >;
      /** int16 [time: 60, lat: 73, lon: 144]: Eastward wind, m s-1 */
      readonly uwnd: ArrayType<
        'int16',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly scale_factor: number;
          readonly _FillValue: number;
        }
      >;
      /** int16 [time: 60, lat: 73, lon: 144]: Northward wind, m s-1 */
      readonly vwnd: ArrayType<
        'int16',
        'time' | 'lat' | 'lon',
        {
          readonly standard_name: string;
          readonly long_name: string;
          readonly units: string;
          readonly scale_factor: number;
          readonly _FillValue: number;
        }
      >;
    };
    readonly groups: {
      readonly '': {
        readonly Conventions: string;
        readonly title: string;
        readonly institution: string;
        readonly license: string;
      };
    };
    readonly datasets: {
      readonly '': {
        readonly dimensions: 'lat' | 'lon' | 'time';
        readonly variables: {
          /** float64 [lat: 73]: Latitude, degrees_north */
          readonly lat: ArrayType<
            'float64',
            'lat',
            {
              readonly standard_name: string;
              readonly long_name: string;
              readonly units: string;
              readonly axis: string;
            }
          >;
          /** float64 [lon: 144]: Longitude, degrees_east */
          readonly lon: ArrayType<
            'float64',
            'lon',
            {
              readonly standard_name: string;
              readonly long_name: string;
              readonly units: string;
              readonly axis: string;
            }
          >;
          /** numpy.datetime64 [time: 60]: Time */
          readonly time: ArrayType<
            'numpy.datetime64',
            'time',
            { readonly standard_name: string; readonly long_name: string; readonly axis: string }
          >;
          /** float64 [time: 60, lat: 73, lon: 144]: Eastward wind, m s-1 */
          readonly uwnd: ArrayType<
            'float64',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
          /** float64 [time: 60, lat: 73, lon: 144]: Northward wind, m s-1 */
          readonly vwnd: ArrayType<
            'float64',
            'time' | 'lat' | 'lon',
            { readonly standard_name: string; readonly long_name: string; readonly units: string }
          >;
        };
      };
    };
  };
}
