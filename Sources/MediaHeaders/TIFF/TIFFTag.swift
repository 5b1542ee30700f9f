/// The tags by which raw files of cameras are recognized (TIFF 6.0; TIFF/EP; DNG 1.7).
enum TIFFTag: Int {
    case newSubfileType = 254
    case subDirectories = 330
    case mosaicDimensions = 33_421
    case mosaicPattern = 33_422
    case dngVersion = 50_706
}
