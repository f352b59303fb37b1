package io.margay.compat.httpd.context;

import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.expression.HttpdExpression;
import io.margay.compat.httpd.expression.RequestTerm;
import io.margay.compat.httpd.expression.RequestTerm.All;
import io.margay.compat.httpd.expression.RequestTerm.Any;
import io.margay.compat.httpd.expression.RequestTerm.Constant;
import io.margay.compat.httpd.expression.RequestTerm.Not;
import io.margay.compat.httpd.syntax.HttpdNode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The sections `If`, `ElseIf` and `Else` beside one another: of those that follow an `If`, the
/// first whose expression holds counts. Confined to one reading.
public final class Conditionals {
    /// What says which files are programs, and of which types files are, in lower case.
    private static final Set<String> FILES =
            Set.of(
                    "action",
                    "addcharset",
                    "adddefaultcharset",
                    "removecharset",
                    "addhandler",
                    "addoutputfilter",
                    "addtype",
                    "forcetype",
                    "removetype",
                    "sethandler",
                    "setoutputfilter");

    private final ReadingContext context;

    /// Whether one of the sections so far holds; null where that is not known.
    private @Nullable RequestTerm before;

    private boolean begun;

    public Conditionals(ReadingContext context) {
        this.context = context;
    }

    /// Whether a node is such a section.
    public static boolean isOne(HttpdNode node) {
        return node.section()
                && (node.key().equals("if")
                        || node.key().equals("elseif")
                        || node.key().equals("else"));
    }

    /// The section that a node opens; null when its lines are passed over.
    public @Nullable HttpdSection section(HttpdNode node, HttpdSection around) {
        boolean first = node.key().equals("if");
        if (!first && !begun) {
            context.account().wrong(node.place(), node.title(), "does not follow an If");
            return null;
        }
        before = first ? new Constant(false) : before;
        begun = true;
        if (before == null) {
            passedOver(node, "the If before it is not understood");
            return null;
        }
        try {
            RequestTerm own = node.key().equals("else") ? new Constant(true) : expression(node);
            HttpdSection made = around.onlyWhen(new All(List.of(new Not(before), own)));
            boolean sound = Expressions.check(node, made.conditions(), context.account());
            before = new Any(List.of(before, own));
            if (sound) {
                context.account().honoured(node.place(), node.title());
            }
            return sound ? made : null;
        } catch (IllegalArgumentException e) {
            before = null;
            passedOver(node, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private RequestTerm expression(HttpdNode node) {
        if (node.size() != 1) {
            throw new IllegalArgumentException("the expression must be one text in quotes");
        }
        context.variables().askEarly(node.argument(0), node);
        return HttpdExpression.ofFile(node.argument(0), context.variables());
    }

    /// Whether a directive in a section makes programs of files, or says their types.
    private static boolean saysWhatFilesAre(HttpdNode node) {
        return node.children().stream()
                .anyMatch(child -> FILES.contains(child.key()) || saysWhatFilesAre(child));
    }

    /// Says that a section is passed over; where it keeps requests out, nothing is served.
    public void passedOver(HttpdNode node, String why) {
        if (context.restricting().restricts(node)) {
            context.account().wrong(node.place(), node.title(), why + ", and it restricts access");
        } else if (saysWhatFilesAre(node)) {
            context.account()
                    .wrong(node.place(), node.title(), why + ", and it says what files are");
        } else {
            context.account().changed(node.place(), node.title(), why + ": its lines are ignored");
        }
    }
}
