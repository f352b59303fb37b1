<%@ page contentType="text/html; charset=UTF-8" session="false" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<t:page title="Forward">
<p>${param.who} has forwarded to this page; the client asked for
${requestScope['jakarta.servlet.forward.servlet_path']}.</p>
</t:page>
