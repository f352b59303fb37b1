package io.margay.acme.staple;

import io.margay.acme.Storage;
import io.margay.server.acme.StapleLimits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The folder of OCSP responses, one file for each certificate, so that a server that starts has
/// something to staple at once. Immutable.
record StapleFolder(Path folder, StapleLimits limits) {
    private static final System.Logger LOG = System.getLogger(StapleFolder.class.getName());
    private static final String ENDING = ".der";

    private Path file(OcspQuestion question) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(question.certificate().getEncoded());
            return folder.resolve(HexFormat.of().formatHex(digest) + ENDING);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no SHA-256 of a certificate", e);
        }
    }

    /// What was written for a certificate, if it still holds: it is verified like what a responder
    /// sends.
    @Nullable OcspResponse read(OcspQuestion question, Instant now) {
        Path file = file(question);
        try {
            if (!Files.exists(file) || Files.size(file) > limits.responseBytesMax()) {
                return null;
            }
            byte[] der = Files.readAllBytes(file);
            return OcspResponse.read(der, question.certificate(), question.issuer(), now);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "not stapled: {0}: {1}", file, e.getMessage());
            return null;
        }
    }

    /// Keeps a response; where the disk does not take it, it is stapled all the same.
    void write(OcspQuestion question, OcspResponse response) {
        Path file = file(question);
        try {
            Storage.write(file, response.der());
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} cannot be written: {1}", file, e.getMessage());
        }
    }

    /// Deletes what nobody has asked for in a long time.
    void prune(Instant now) {
        Instant oldest = now.minus(limits.keep());
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ENDING)) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(oldest)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0}: {1}", folder, e.getMessage());
        }
    }
}
