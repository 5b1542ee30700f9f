extension ConfigurationReference {
    static let dialects = """
        ## Dialects of your own

        Each entry of `dialects` describes the payloads of one sender. For example, a configuration can have this entry:

        ```yaml
        \(dialectsExample)
        ```

        With this entry, appgroupd reads three attachments from the following payload. The object of the first attachment
        also has the type and the options of the attachment:

        ```json
        \(payloadExample)
        ```

        Your dialects are tried in the order of the list, before the standard dialects. A request can also name one of your
        dialects.

        | key | value |
        |---|---|
        | `name` | the name of the dialect in results: \(ValueCodec.dialectName.expected). The name of a standard dialect is not accepted |
        | `recognisedBy` | a key path that only the payloads of this sender have, or `PATH == VALUE` |
        | `media` | a list of key paths to URLs. All paths are read in the order of the list. If several paths lead to the same place, the place is read only once |
        | `type` | the key path to the type of a media item: a MIME type, `image`, `video`, `audio`, or the extension of a file name |
        | `title`, `subtitle`, `body` | the key path to the title, subtitle or body. If a key is left out, or its path leads to no text, the text of `aps.alert` is used |
        | `fallback` | a mapping of `title`, `subtitle` and `body` to the key paths of the fallback text |
        | `identifier` | the key path to the sender's own id of the message |
        | `link` | the key path to the URL that a tap on the notification opens |
        | `options` | a mapping of `thumbnailHidden` (true or false) and `thumbnailTime` (seconds from the start of the video) to the key paths of these options of a media item |

        The keys `name`, `recognisedBy` and `media` are required. In a key path, dots separate the keys:

        * `[]` stands for every element of an array, and `[2]` for the third element. In the path of a type or an option, `[]`
          stands for the array element that contains the URL of the media item.
        * A backslash before a dot, bracket, `=`, space or backslash makes the character a part of the key: `com\\.acme` is one
          key.
        * In a YAML list with brackets, put a path with brackets into single quotes: `['items[].url', hero]`.
        """

    /// A complete file with one dialect.
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

    /// A payload that the dialect of the example reads.
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
