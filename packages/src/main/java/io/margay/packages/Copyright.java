package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// Debian's file about licences (copyright-format 1.0): the program, each library, Java.
final class Copyright {
    private Copyright() {}

    static void write(Packaged packaged, Path file) throws IOException {
        Map<String, StringBuilder> stanzas = new TreeMap<>();
        StringBuilder text =
                new StringBuilder(
                        """
                        Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
                        Upstream-Name: margay
                        Upstream-Contact: The Margay developers <developers@margay.io>
                        Source: https://margay.io/margay.git

                        Files: *
                        Copyright: 2026 The Margay developers
                        License: Apache-2.0

                        Files: usr/lib/margay/java/*
                        Copyright: 1993-2026 Oracle and/or its affiliates, OpenJDK contributors
                        License: GPL-2 with Classpath exception
                        Comment: The licences of its parts are in /usr/lib/margay/java/legal.

                        """);
        for (Library library : packaged.libraries()) {
            if (!Json.text(library.component(), "group").equals("io.margay")) {
                String key = library.maker() + "\n" + licence(library);
                stanzas.computeIfAbsent(key, _ -> new StringBuilder())
                        .append("\n usr/lib/margay/")
                        .append(library.path());
            }
        }
        stanzas.forEach((key, files) -> {
            int end = key.indexOf('\n');
            text.append("Files:").append(files);
            text.append("\nCopyright: ").append(key, 0, end);
            text.append("\nLicense: ").append(key.substring(end + 1)).append("\n\n");
        });
        text.append(
                """
                Comment: The texts of the licences of libraries are in their jars, under META-INF.

                License: Apache-2.0
                 The text is in /usr/share/common-licenses/Apache-2.0.

                License: GPL-2 with Classpath exception
                 The text of the GPL is in /usr/share/common-licenses/GPL-2, the exception is in
                 /usr/lib/margay/java/legal/java.base/ASSEMBLY_EXCEPTION.
                """);
        Files.writeString(file, text);
    }

    private static String licence(Library library) {
        String licence = library.licence().replace('\n', ' ').strip();
        return licence.isEmpty() ? "see-the-jar" : licence;
    }
}
