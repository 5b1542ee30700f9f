extension ConfigurationReference {
    static let dialects = """
        ## Dialects of your own

        An entry of `dialects` says how the payloads of one more sender are read. Your dialects are tried in their order, and
        before the standard ones; requests may name them too.

        | key | what it is |
        |---|---|
        | `name` | what results call it: \(ValueCodec.dialectName.expected); no standard dialect has it |
        | `recognisedBy` | a key path that is in the payload, or `PATH == VALUE` |
        | `media` | a list of key paths to URLs; all of them are read, in their order, and each place once |
        | `type` | the type of a medium: a MIME type, `image`, `video`, `audio`, or a file name's extension |
        | `title`, `subtitle`, `body` | the text; a line without a path, or with nothing there, comes from `aps.alert` |
        | `fallback` | `title`, `subtitle` and `body` of the text that is shown when no attachment is |
        | `identifier` | the sender's own id of the message |
        | `link` | what the notification opens |
        | `options` | `thumbnailHidden` (true or false) and `thumbnailTime` (seconds into a video) of a medium |

        Only the first three must be there. A key path has dots between its keys; `[]` is every element of an array, `[2]` the
        third one. A backslash takes a dot, bracket, `=`, space or backslash into a key: `com\\.acme` is one key. The `[]` of a
        type or an option is the same element as that of the medium. Within YAML's own brackets a path with brackets stands in
        single quotes: `['items[].url', hero]`.

        ```yaml
        \(dialectsExample)
        ```

        reads this payload: three attachments, of which the first has its type and its options beside it.

        ```json
        \(payloadExample)
        ```
        """

    /// A whole file with one dialect.
    package static let dialectsExample = #"""
        dialects:
          - name: acme
            recognisedBy: acme.kind == push
            media:
              - com\.acme.media[].url
              - hero
            type: com\.acme.media[].mime
            title: acme.title
            body: acme.text
            fallback:
              title: aps.alert.title
              body: aps.alert.body
            identifier: acme.id
            link: acme.link
            options:
              thumbnailHidden: com\.acme.media[].hidden
              thumbnailTime: com\.acme.media[].second
        """#

    /// What the example reads.
    package static let payloadExample = """
        {
          "aps": {"alert": {"title": "Open the app", "body": "A new album is there."}, "mutable-content": 1},
          "acme": {"kind": "push", "id": "m-17", "title": "Summer", "text": "Three days at sea", "link": "acme://album/4"},
          "com.acme": {
            "media": [
              {"url": "https://media.example.com/1.mp4", "mime": "video/mp4", "hidden": false, "second": 2.5},
              {"url": "https://media.example.com/2.jpg"}
            ]
          },
          "hero": "https://media.example.com/hero.png"
        }
        """
}
