package io.margay.app.migrate;

import io.margay.app.config.file.login.DirectoryKeys;
import io.margay.app.yaml.Amounts;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.server.directory.DirectoryAccess;
import java.nio.file.Path;

/// Writes how users log in by a directory. Stateless.
final class DirectoryLines {
    private DirectoryLines() {}

    static String of(Directory directory) {
        YamlLine line = new YamlLine();
        DirectoryAccess access = directory.access();
        line.texts("url", access.urls());
        line.flag("start-tls", access.tls().start(), false);
        Path trust = access.tls().trust();
        if (trust != null) {
            line.text("trust", trust.toString());
        }
        line.flag("verify", access.tls().verify(), true);
        DirectoryAccess.Own own = access.tls().own();
        if (own != null) {
            line.text("cert", own.cert().toString());
            line.text("key", own.key().toString());
        }
        DirectoryAccess.Bind bind = access.bind();
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
        line.text("name-attribute", shown == null ? DirectoryKeys.AS_GIVEN : shown);
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
        line.raw("timeout", Amounts.write(access.readTimeout()));
        return line.toString();
    }
}
