package io.margay.app.migrate;

import io.margay.app.yaml.Amounts;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryQuestion;
import java.nio.file.Path;

/// Writes how users log in by a directory. Stateless.
final class DirectoryLines {
    private DirectoryLines() {}

    static String of(Directory directory) {
        YamlLine line = new YamlLine();
        line.texts("url", directory.urls());
        line.flag("start-tls", directory.tls().start(), false);
        Path trust = directory.tls().trust();
        if (trust != null) {
            line.text("trust", trust.toString());
        }
        line.flag("verify", directory.tls().verify(), true);
        Directory.Bind bind = directory.bind();
        String name = bind.name();
        if (name != null) {
            line.text("bind-dn", name);
        }
        String password = bind.password();
        if (password != null) {
            line.text("bind-password", password);
        }
        Path file = bind.passwordFile();
        if (file != null) {
            line.text("bind-password-file", file.toString());
        }
        Directory.Search search = directory.search();
        line.text("base", search.base());
        line.text("attribute", search.attribute());
        line.text("filter", search.filter());
        line.flag("subtree", search.subtree(), true);
        String shown = directory.nameAttribute();
        if (shown != null) {
            line.text("name-attribute", shown);
        }
        String groups = directory.groupBase();
        if (groups != null) {
            line.text("group-base", groups);
        }
        line.texts("member-attributes", directory.members().attributes());
        line.flag("member-names", !directory.members().byEntry(), false);
        line.text("group-attribute", directory.members().groupName());
        Directory.Nested nested = directory.nested();
        if (nested.depth() > 0) {
            line.raw("nested-depth", String.valueOf(nested.depth()));
            line.texts("nested-attributes", nested.attributes());
            line.texts("nested-classes", nested.classes());
        }
        if (!directory.questions().isEmpty()) {
            line.texts(
                    "questions",
                    directory.questions().stream().map(DirectoryQuestion::text).toList());
        }
        line.raw("timeout", Amounts.write(directory.timeout()));
        return line.toString();
    }
}
