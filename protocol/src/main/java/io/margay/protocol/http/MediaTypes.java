package io.margay.protocol.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Media types by file name extension: what web content is made of (IANA's registry and common
/// use). A data table.
public final class MediaTypes {
    private static final String TABLE =
            """
            application/atom+xml atom
            application/epub+zip epub
            application/geo+json geojson
            application/gzip gz tgz
            application/java-archive jar war ear
            application/java-vm class
            application/json json map
            application/ld+json jsonld
            application/manifest+json webmanifest
            application/mathml+xml mathml
            application/msword doc dot
            application/octet-stream bin dmg exe iso msi img deb
            application/ogg ogx
            application/pdf pdf
            application/pgp-signature sig asc
            application/pkcs10 p10
            application/pkcs7-mime p7m p7c
            application/pkcs7-signature p7s
            application/pkix-crl crl
            application/postscript ps eps ai
            application/rdf+xml rdf
            application/rss+xml rss
            application/rtf rtf
            application/smil+xml smi smil
            application/sql sql
            application/tei+xml tei
            application/vnd.amazon.ebook azw
            application/vnd.android.package-archive apk
            application/vnd.apple.installer+xml mpkg
            application/vnd.apple.mpegurl m3u8
            application/vnd.google-earth.kml+xml kml
            application/vnd.google-earth.kmz kmz
            application/vnd.mozilla.xul+xml xul
            application/vnd.ms-excel xls xlt
            application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
            application/vnd.ms-excel.sheet.macroenabled.12 xlsm
            application/vnd.ms-fontobject eot
            application/vnd.ms-outlook msg
            application/vnd.ms-powerpoint ppt pps
            application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
            application/vnd.ms-project mpp
            application/vnd.ms-word.document.macroenabled.12 docm
            application/vnd.oasis.opendocument.chart odc
            application/vnd.oasis.opendocument.formula odf
            application/vnd.oasis.opendocument.graphics odg
            application/vnd.oasis.opendocument.presentation odp
            application/vnd.oasis.opendocument.presentation-template otp
            application/vnd.oasis.opendocument.spreadsheet ods
            application/vnd.oasis.opendocument.spreadsheet-template ots
            application/vnd.oasis.opendocument.text odt
            application/vnd.oasis.opendocument.text-template ott
            application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
            application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
            application/vnd.openxmlformats-officedocument.presentationml.template potx
            application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
            application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
            application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
            application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
            application/vnd.rar rar
            application/vnd.sqlite3 sqlite
            application/vnd.visio vsd
            application/wasm wasm
            application/wsdl+xml wsdl
            application/x-7z-compressed 7z
            application/x-bittorrent torrent
            application/x-bzip2 bz2
            application/x-cpio cpio
            application/x-dvi dvi
            application/x-java-jnlp-file jnlp
            application/x-latex latex
            application/x-pkcs12 p12 pfx
            application/x-rpm rpm
            application/x-sh sh
            application/x-shockwave-flash swf
            application/x-tar tar
            application/x-tex tex
            application/x-x509-ca-cert crt der pem
            application/x-xpinstall xpi
            application/x-xz xz
            application/xhtml+xml xhtml xht
            application/xml xml xsl xsd
            application/xml-dtd dtd
            application/xslt+xml xslt
            application/yaml yaml yml
            application/zip zip
            application/zstd zst
            audio/aac aac
            audio/amr amr
            audio/basic au snd
            audio/flac flac
            audio/midi mid midi
            audio/mp4 m4a
            audio/mpeg mp3 mp2
            audio/ogg oga ogg opus
            audio/vnd.wave wav
            audio/webm weba
            audio/x-aiff aif aiff
            audio/x-mpegurl m3u
            font/collection ttc
            font/otf otf
            font/ttf ttf
            font/woff woff
            font/woff2 woff2
            image/apng apng
            image/avif avif
            image/bmp bmp
            image/emf emf
            image/gif gif
            image/heic heic
            image/heif heif
            image/jp2 jp2
            image/jpeg jpg jpeg jpe
            image/jxl jxl
            image/png png
            image/svg+xml svg
            image/tiff tif tiff
            image/vnd.adobe.photoshop psd
            image/vnd.djvu djvu
            image/vnd.dwg dwg
            image/vnd.dxf dxf
            image/vnd.microsoft.icon ico
            image/webp webp
            image/wmf wmf
            image/x-portable-bitmap pbm
            image/x-portable-graymap pgm
            image/x-portable-pixmap ppm
            image/x-xbitmap xbm
            message/rfc822 eml
            model/gltf+json gltf
            model/gltf-binary glb
            model/obj obj
            model/stl stl
            text/cache-manifest appcache
            text/calendar ics
            text/css css
            text/csv csv
            text/html html htm
            text/javascript js mjs
            text/markdown md
            text/plain txt text log conf ini properties java
            text/tab-separated-values tsv
            text/vcard vcf
            text/vnd.sun.j2me.app-descriptor jad
            text/vnd.wap.wml wml
            text/vtt vtt
            text/x-component htc
            video/3gpp 3gp
            video/mp2t ts
            video/mp4 mp4 m4v
            video/mpeg mpeg mpg mpe
            video/ogg ogv
            video/quicktime mov qt
            video/webm webm
            video/x-flv flv
            video/x-matroska mkv
            video/x-ms-asf asf
            video/x-ms-wmv wmv
            video/x-msvideo avi
            """;

    private static final Map<String, String> BY_EXTENSION = byExtension();

    private MediaTypes() {}

    /// The media type for a file name or path, without a charset; null for an unknown extension.
    public static @Nullable String ofFileName(String name) {
        int dot = name.lastIndexOf('.');
        if (dot < 0 || name.indexOf('/', dot) >= 0) {
            return null;
        }
        return ofExtension(name.substring(dot + 1));
    }

    /// The media type for an extension without its dot, in any case; null when unknown.
    public static @Nullable String ofExtension(String extension) {
        String type = BY_EXTENSION.get(extension);
        return type != null ? type : BY_EXTENSION.get(extension.toLowerCase(Locale.ROOT));
    }

    /// All extensions known and their types.
    public static Map<String, String> all() {
        return BY_EXTENSION;
    }

    private static Map<String, String> byExtension() {
        Map<String, String> types = new HashMap<>();
        for (String line : TABLE.split("\n")) {
            String[] words = line.split(" ");
            for (int i = 1; i < words.length; i++) {
                types.put(words[i], words[0]);
            }
        }
        return Map.copyOf(types);
    }
}
