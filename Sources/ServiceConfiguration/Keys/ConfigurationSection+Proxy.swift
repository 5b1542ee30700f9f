extension ConfigurationSection {
    /// The keys of `fetch` that concern the egress proxy.
    static let proxy = [
        ConfigurationKey(
            "fetch.proxy", \.fetch.proxy, .orNone(.proxyURL), reloadable: true,
            "The [proxy](fetching.md#proxies) through which media are fetched. Without a port in the URL, the port is 80 for http and 443 for https. The environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` have no effect."
        ),
        ConfigurationKey(
            "fetch.proxyCredentials", \.fetch.proxyCredentials, .orNone(.credentialsFile), reloadable: true,
            "A file with the user and the password for the proxy, as `USER:PASSWORD` on one line. Other users must not be able to read the file. The proxy gets them by Basic authentication."
        ),
        ConfigurationKey(
            "fetch.noProxy", \.fetch.noProxy, .list(of: "hosts and addresses", .directHost), reloadable: true,
            "The hosts that are connected to without the proxy. `example.com` means this host and all names below it, and `.example.com` only the names below it. An address or a range means all hosts whose addresses are in it."
        ),
        ConfigurationKey(
            "fetch.proxyResolves", \.fetch.proxyResolves, .truth, reloadable: true,
            "`true`: the proxy gets the names of hosts instead of their addresses, so that [only the proxy](fetching.md#proxies-that-resolve-names) can keep media from being fetched from internal hosts."
        ),
    ]
}
