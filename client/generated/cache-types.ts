/** Schema information for caches, written by `npm run codegen`. */
export const objectTypes: readonly string[] = [
  "AppendToArrayPayload",
  "ArrayDimension",
  "Base64Array",
  "Change",
  "Chunk",
  "Codec",
  "ConsolidateMetadataPayload",
  "CreateArrayPayload",
  "CreateGroupPayload",
  "DataType",
  "DataTypeField",
  "Dataset",
  "DatasetDimension",
  "DeleteNodePayload",
  "ExceededLimit",
  "Flag",
  "Gateway",
  "Histogram",
  "ImageAxis",
  "ImageLevel",
  "Legend",
  "LegendStop",
  "Limits",
  "Line",
  "MultiscaleImage",
  "PageInfo",
  "Picture",
  "PictureAxis",
  "PictureRange",
  "ReadEstimate",
  "RegionDim",
  "ResizeArrayPayload",
  "SetAttributesPayload",
  "Slice",
  "SliceCoordinate",
  "SliceDimension",
  "Statistics",
  "StorageUse",
  "Store",
  "StoreConnection",
  "StoreEdge",
  "TileSet",
  "TypedValues",
  "Variable",
  "WriteSlicePayload",
  "ZarrArray",
  "ZarrGroup",
  "ZarrNodeConnection",
  "ZarrNodeEdge"
];

export const listFields: Readonly<Record<string, string[]>> = {
  "Change": [
    "region"
  ],
  "DataType": [
    "fields"
  ],
  "Dataset": [
    "children",
    "dimensions",
    "variables"
  ],
  "Legend": [
    "stops"
  ],
  "MultiscaleImage": [
    "axes",
    "levels"
  ],
  "Picture": [
    "axes"
  ],
  "Query": [
    "nodes",
    "slices"
  ],
  "ReadEstimate": [
    "exceeded"
  ],
  "Slice": [
    "coordinates",
    "dimensions"
  ],
  "StoreConnection": [
    "edges",
    "nodes"
  ],
  "Variable": [
    "coordinates",
    "flags"
  ],
  "ZarrArray": [
    "codecs",
    "dimensions"
  ],
  "ZarrGroup": [
    "multiscales"
  ],
  "ZarrNodeConnection": [
    "edges",
    "nodes"
  ]
};

export const possibleTypes: Readonly<Record<string, string[]>> = {
  "Node": [
    "Dataset",
    "DatasetDimension",
    "Store",
    "Variable",
    "ZarrArray",
    "ZarrGroup"
  ],
  "ZarrNode": [
    "ZarrArray",
    "ZarrGroup"
  ]
};
