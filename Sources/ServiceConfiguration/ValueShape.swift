/// How a variable or a flag says a value.
enum ValueShape: Sendable {
    case text
    /// Between commas.
    case list
    /// YAML on one line.
    case mapping
    /// The same, of a list whose elements are no texts.
    case listOfMappings
}
