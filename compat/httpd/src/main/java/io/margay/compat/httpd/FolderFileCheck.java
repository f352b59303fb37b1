package io.margay.compat.httpd;

import io.margay.compat.account.Account;
import io.margay.compat.account.AccountLine;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.rules.RuleLimits;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Looks at the files such as `.htaccess` that lie below the folders of a plan's hosts, for those
/// that close their folder because something in them is wrong. Confined to one call.
public final class FolderFileCheck {
    private final RuleLimits limits;
    private final Set<AccountLine> found = new LinkedHashSet<>();
    private final Set<Looked> looked = new HashSet<>();
    private int folders;

    /// A folder with what its file may say, which is looked at once.
    private record Looked(Path folder, List<String> names, FolderOverrides allowed) {}

    private FolderFileCheck(RuleLimits limits) {
        this.limits = limits;
    }

    /// What is wrong in them. Links are not followed.
    public static List<AccountLine> of(GatewayPlan plan, RuleLimits limits) {
        FolderFileCheck check = new FolderFileCheck(limits);
        for (HostPlan host : plan.hosts()) {
            for (FilesPlan files : host.files()) {
                if (Files.isDirectory(files.folder())) {
                    check.walk(files.folder(), host.access());
                }
            }
        }
        return List.copyOf(check.found);
    }

    private void walk(Path root, HostAccess access) {
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            return look(folder, access);
                        }

                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException failure) {
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            wrong(root, "cannot be looked through: " + e.getMessage());
        }
    }

    private FileVisitResult look(Path folder, HostAccess access) {
        FolderOverrides allowed = access.overrides(folder);
        if (!looked.add(new Looked(folder, access.folderFiles(), allowed))) {
            return FileVisitResult.CONTINUE;
        }
        if (++folders > limits.folderFilesMax()) {
            wrong(
                    folder,
                    "no more than "
                            + limits.folderFilesMax()
                            + " folders are checked: this one and others were not");
            return FileVisitResult.TERMINATE;
        }
        Optional<Path> file =
                access.folderFiles().stream()
                        .map(folder::resolve)
                        .filter(Files::exists)
                        .findFirst();
        if (allowed.areRead() && file.isPresent()) {
            read(file.get(), folder, allowed);
        }
        return FileVisitResult.CONTINUE;
    }

    private void read(Path file, Path folder, FolderOverrides allowed) {
        Account account = new Account();
        try {
            Object _ =
                    HtaccessFiles.read(
                            file, folder, allowed, HtaccessFiles.Host.NONE, limits, account);
            found.addAll(account.lines().stream().filter(AccountLine::isFailure).toList());
        } catch (IOException e) {
            wrong(file, "cannot be read: its folder is closed");
        }
    }

    private void wrong(Path place, String text) {
        found.add(
                new AccountLine(
                        new Place(place.toString(), 0),
                        "the file",
                        AccountLine.Verdict.WRONG,
                        text));
    }
}
