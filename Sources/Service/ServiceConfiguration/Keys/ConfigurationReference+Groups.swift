extension ConfigurationReference {
    static let groups = """
        ## Settings of one app group

        `groups` can be a mapping. Each key is the name of an app group, and its value has settings for this group. They
        are written like the keys of the file:

        ```yaml
        \(groupsExample)
        ```

        A group has the values of the whole file for the keys that it does not set. `group.default` can have settings too.
        A group without settings has no value. `open: true` also accepts requests of groups that are not named, with the
        values of the whole file. `appgroupd config --group NAME` shows the values of one group, with their sources.

        A flag or an environment variable takes precedence over the setting of a group, as over each value of the file. If
        a group has its own `matrix.homeserver` and no `matrix.tokenFile`, its homeserver gets no token.

        At SIGHUP, groups are added, changed and removed. If the new settings of a group have an error, this group keeps
        its earlier settings, and the other groups change. The log has the error with its line, and `/readyz` names the
        group in a warning. At the start, such an error is an error of the whole file. The files of a group that is
        removed stay where they are, and its accepted requests are emitted.

        A group can set these keys:

        \(ConfigurationKey.forGroups.map { "`\($0.path)`" }.joined(separator: ", ")).

        * `auth.tokens` of a group has tokens that permit only this group, so they have no `groups`. The log and the limits
          call such a token `GROUP/NAME`.
        * `fetch.headers` and the token of `matrix` are sent only for requests of the group. A response that was fetched
          with them is not used for other groups.
        * `media.quota` of a group is the largest size of its own files. The files of all groups together are still within
          `media.quota` of the whole file.
        """

    /// A complete file with the settings of two groups.
    package static let groupsExample = """
        budget: 20s
        groups:
          open: false
          group.com.example.news:
            profile: android
            twomee: {accept: Read, category: news}
            matrix: {homeserver: https://matrix.example.com}
            media: {quota: 2GiB, retention: 1d}
            requests: {perGroup: 500}
          group.com.example.chat:
            budget: 5s
            permissions: {wifiOnly: true}
            publicURL: https://chat-media.example.com
        """
}
