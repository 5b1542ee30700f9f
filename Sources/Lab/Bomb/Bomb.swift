/// The bodies that are small on the wire and large when unpacked.
package enum Bomb: String, Sendable, Equatable, CaseIterable {
    /// `Content-Encoding: gzip`; 1 MiB that inflates to 1 GiB of zeros.
    case gzip
    /// A well-formed PNG of half a megabyte with 4.3 gigapixels.
    case png
}
