/// The URLs of any number of files, distributed over several host names of the loopback interface. `localhost` and all
/// names below it resolve to this machine without a name server (RFC 6761 §6.3).
package struct FileURLs: Sendable {
    package let isSecure: Bool
    package let port: Int
    package let hosts: Int

    package init(isSecure: Bool, port: Int, hosts: Int) {
        self.isSecure = isSecure
        self.port = port
        self.hosts = hosts
    }

    package static func host(_ number: Int) -> String { "host\(number).localhost" }

    package subscript(number: Int) -> String {
        "\(isSecure ? "https" : "http")://\(Self.host(number % hosts)):\(port)/file?\(number)"
    }
}

extension Arguments {
    package mutating func set(_ urls: FileURLs) {
        self["secure"] = urls.isSecure ? "" : nil
        self["port"] = "\(urls.port)"
        self["hosts"] = "\(urls.hosts)"
    }

    package func fileURLs() throws -> FileURLs {
        try FileURLs(isSecure: self["secure"] != nil, port: number("port", else: 80), hosts: number("hosts", else: 1))
    }
}
