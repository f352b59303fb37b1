<%@ taglib prefix="s" uri="http://www.springframework.org/tags" %>
<form action="<s:url value='/order.htm'/>" method="post"><input name="item" value=""><input name="amount" value=""></form>
