<%@ page contentType="text/html; charset=UTF-8" session="false" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<%@ taglib prefix="example" uri="urn:margay:example" %>
<t:page title="A custom tag">
<p><example:loud times="${empty param.times ? 2 : param.times}">purr</example:loud></p>
<p>${example:reversed('yagram')}</p>
</t:page>
