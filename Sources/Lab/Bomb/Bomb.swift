/// The bodies that are small on the wire and large when unpacked.
package enum Bomb: String, Sendable, Equatable, CaseIterable {
    /// `Content-Encoding: gzip`; 1 MiB that inflates to 1 GiB of zeros.
    case gzip
    /// A well-formed PNG of 1 MB that decodes to 1 GB of transparent pixels.
    case png
}
