package io.margay.gateway.access;

import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.listing.ListingPage;
import io.margay.gateway.login.Logins;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PercentEncoding;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.files.FolderPage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A folder that is listed, without what its client may not ask for. Confined to one request.
///
/// @param path of the folder, with a slash at the end
record ListedFolder(AccessRequest request, String path, ListingPage page, Said said)
        implements FolderPage {
    /// What a host says of its files.
    record Said(
            RuleSet rules,
            Sections sections,
            ServedFolders folders,
            HostAccess access,
            Logins logins) {}

    /// How a folder is listed that has no page; null = it is not.
    ///
    /// @param path by which it was found
    static @Nullable ListedFolder of(Exchange exchange, String path, Said said) {
        if (!RuleRequest.isPossible(exchange) || !path.endsWith("/")) {
            return null;
        }
        try {
            RuleRequest asked = said.rules.outcome(RuleRequest.of(exchange)).request();
            Caller caller = Caller.again(said.logins, exchange);
            AccessRequest request = AccessRequest.of(exchange, asked, caller).at(path);
            ServedFolders.Found found = said.folders.find(path);
            AccessRules rules = said.sections.walked(request, found, null).rules();
            if (!rules.listing().isOn() || !found.isFolder()) {
                return null;
            }
            String query = exchange.request().target().rawQuery();
            ListingPage page =
                    ListingPage.of(rules.listing(), path, found.whole(), query, rules.types()::of);
            return new ListedFolder(request, path, page, said);
        } catch (UndecidedException e) {
            return null;
        }
    }

    @Override
    public boolean shows(String name, boolean isFolder) {
        return !page.leavesOut(name) && opens(path + name + (isFolder ? "/" : ""));
    }

    /// As httpd looks at what it lists: by the sections about it, and not by the rules of its host.
    @Override
    public boolean opens(String target) {
        CanonicalPath canonical = CanonicalPath.of(PercentEncoding.path(target));
        if (canonical.error() != null || !said.folders.isFiles(canonical.path())) {
            return false;
        }
        try {
            ServedFolders.Found found = said.folders.find(canonical.path());
            SectionWalk walk = said.sections.walked(request.at(canonical.path()), found, null);
            RuleDecision decision = walk.decide(false);
            boolean forbidden = page.showsForbidden() && decision instanceof RuleDecision.Challenge;
            if (RuleDecision.isClosed(decision) && !forbidden) {
                return false;
            }
            boolean linked = !Boolean.FALSE.equals(walk.rules().links());
            if (!linked && said.folders.hasLink(canonical.path())) {
                return false;
            }
            return found.isFolder()
                    || !(said.access.handler(walk, found.name()) instanceof FileHandler.Program);
        } catch (UndecidedException e) {
            return false;
        }
    }

    @Override
    public String type() {
        return page.type();
    }

    @Override
    public byte[] content(List<Entry> entries, Insets insets) {
        return page.content(entries, insets);
    }
}
