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
}
