package io.margay.compat.httpd.tls;

import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsSetupException;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is shown to peers that ask for a certificate (`SSLProxyMachineCertificate…`): files that
/// have a certificate and its key each. Confined to one reading.
public final class PeerCertificates {
    /// Files of a folder that are read at most.
    private static final int FILES_MAX = 1000;

    private final ReadingContext context;
    private final Set<Path> files = new LinkedHashSet<>();
    private @Nullable Path chain;

    public PeerCertificates(ReadingContext context) {
        this.context = context;
    }

    /// The files so far, with the chain.
    public List<Certificate> all() {
        return files.stream().map(file -> new Certificate(file, file).withChain(chain)).toList();
    }

    /// Takes a file of authorities between the certificates and those whom peers trust.
    public void chain(HttpdNode node) {
        Path file = context.path(node.argument(0));
        if (file == null || !Files.isReadable(file)) {
            unreadable(node);
        } else {
            chain = file;
            context.honoured(node, "for every https:// peer");
        }
    }

    /// Takes a file.
    public void file(HttpdNode node) {
        Path file = context.path(node.argument(0));
        if (file == null || !Files.isReadable(file)) {
            unreadable(node);
        } else {
            add(node, List.of(file));
        }
    }

    /// Takes all files of a folder.
    public void folder(HttpdNode node) {
        Path folder = context.path(node.argument(0));
        if (folder == null) {
            unreadable(node);
            return;
        }
        try (Stream<Path> found = Files.list(folder)) {
            List<Path> all =
                    found.filter(file -> !Files.isDirectory(file)).limit(FILES_MAX + 1).toList();
            if (all.size() > FILES_MAX) {
                context.wrong(node, folder + " has more than " + FILES_MAX + " files");
            } else {
                add(node, all.stream().sorted().toList());
            }
        } catch (IOException e) {
            unreadable(node);
        }
    }

    private void unreadable(HttpdNode node) {
        context.wrong(node, "\"" + node.argument(0) + "\" cannot be read");
    }

    private void add(HttpdNode node, List<Path> more) {
        try {
            for (Path file : more) {
                Object _ = Transports.certificate(new Certificate(file, file));
                if (keys(file) > 1) {
                    context.wrong(node, file + ": write each key and certificate to its own file");
                    return;
                }
            }
        } catch (TlsSetupException | IOException e) {
            context.wrong(node, String.valueOf(e.getMessage()));
            return;
        }
        boolean others = !files.isEmpty() && !files.containsAll(more);
        files.addAll(more);
        if (others) {
            context.changed(
                    node,
                    "every https:// peer may ask for it, and for those before: the first is shown"
                            + " that an authority of the peer has signed");
        } else {
            context.honoured(node, "for every https:// peer");
        }
    }

    private static long keys(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> line.startsWith("-----BEGIN ") && line.contains("PRIVATE KEY"))
                .count();
    }
}
