/** Schema information for caches, written by `npm run codegen`. */
export const objectTypes: readonly string[] = [
  "AppendToArrayPayload",
  "ArrayDimension",
  "Base64Array",
  "CancelJobPayload",
  "Chunk",
  "Codec",
  "ConsolidateMetadataPayload",
  "CreateArrayPayload",
  "CreateBranchPayload",
  "CreateGroupPayload",
  "CreateRepositoryPayload",
  "CreateTagPayload",
  "CreatedChange",
  "DataChange",
  "DataType",
  "DataTypeField",
  "Dataset",
  "DatasetConnection",
  "DatasetDimension",
  "DatasetEdge",
  "DeleteNodePayload",
  "DeletedChange",
  "ExceededLimit",
  "Flag",
  "Gateway",
  "Histogram",
  "ImageAxis",
  "ImageLevel",
  "Job",
  "JobError",
  "JobPlace",
  "Legend",
  "LegendStop",
  "Limits",
  "Line",
  "MovedNode",
  "MultiscaleImage",
  "NodeDiff",
  "PageInfo",
  "Picture",
  "PictureAxis",
  "PictureRange",
  "ReadEstimate",
  "RegionDim",
  "ResizeArrayPayload",
  "ResizedChange",
  "SetAttributesPayload",
  "Slice",
  "SliceCoordinate",
  "SliceDimension",
  "Snapshot",
  "SnapshotDiff",
  "StartJobPayload",
  "Statistics",
  "StorageUse",
  "Store",
  "StoreConnection",
  "StoreEdge",
  "StoreVersions",
  "TileSet",
  "TypedValues",
  "UpdatedChange",
  "Variable",
  "WriteSlicePayload",
  "ZarrArray",
  "ZarrGroup",
  "ZarrNodeConnection",
  "ZarrNodeEdge"
];

export const listFields: Readonly<Record<string, string[]>> = {
  "DataChange": [
    "region"
  ],
  "DataType": [
    "fields"
  ],
  "Dataset": [
    "dimensions",
    "variables"
  ],
  "DatasetConnection": [
    "edges",
    "nodes"
  ],
  "Job": [
    "broken",
    "failures"
  ],
  "Legend": [
    "stops"
  ],
  "MultiscaleImage": [
    "axes",
    "levels"
  ],
  "NodeDiff": [
    "region"
  ],
  "Picture": [
    "axes"
  ],
  "Query": [
    "jobs",
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
  "SnapshotDiff": [
    "changed",
    "moved"
  ],
  "Store": [
    "history"
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
  "Change": [
    "CreatedChange",
    "DataChange",
    "DeletedChange",
    "ResizedChange",
    "UpdatedChange"
  ],
  "Dimension": [
    "ArrayDimension",
    "DatasetDimension",
    "SliceDimension"
  ],
  "Node": [
    "Dataset",
    "DatasetDimension",
    "Store",
    "Variable",
    "ZarrArray",
    "ZarrGroup"
  ],
  "Values": [
    "Slice",
    "SliceCoordinate",
    "TypedValues"
  ],
  "ZarrNode": [
    "ZarrArray",
    "ZarrGroup"
  ]
};
