package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.tidy.Comment.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommentTest {
    @Test
    void comments_ofEachKind_haveTheirTextAndLine() {
        var source = "// one\n/// two\nint a; /* three\n */ /** four */ int b; /**/ // five";
        assertEquals(
                List.of(
                        new Comment(Kind.LINE, 1, "one"),
                        new Comment(Kind.DOC, 2, "two"),
                        new Comment(Kind.BLOCK, 3, "three"),
                        new Comment(Kind.DOC, 4, "four"),
                        new Comment(Kind.BLOCK, 4, ""),
                        new Comment(Kind.LINE, 4, "five")),
                Comment.allOf(source));
    }

    @Test
    void marks_insideLiterals_areNoComments() {
        var quotes = "\"\"\"";
        var source =
                "a(\"// no\", '\"', \"\\\" // no\", '\\'', "
                        + quotes
                        + "\n// \"no\n"
                        + quotes
                        + "); // yes";
        assertEquals(List.of(new Comment(Kind.LINE, 3, "yes")), Comment.allOf(source));
    }

    @Test
    void comment_withoutEnd_endsWithTheSource() {
        assertEquals(List.of(new Comment(Kind.LINE, 1, "")), Comment.allOf("//"));
        assertEquals(1, Comment.allOf("/* open").size());
        assertEquals(1, Comment.allOf("/**").size());
        assertEquals(List.of(), Comment.allOf("\"open"));
    }
}
